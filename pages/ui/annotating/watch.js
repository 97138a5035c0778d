// Whether what is on the form is in the database: an answer on its way, a lost connection, the panel in a second tab.

const FIRST_LOOK_MS = 60; // the page itself needs a moment to show a click
const LOOK_AGAIN_MS = 20;
const LATE_MS = 1500; // by then an answer has come, or it was lost on the way
const AGAIN_MS = 700;
const TYPED_MS = 900; // after which a pause in typing is an end of it
const TRIES = 4;
const RELOADED = "fabula-reloaded";

/** Whether words in a story's form are not stored, and have not been refused either. */
const wordsWait = (card) => {
  const words = card.querySelector("textarea");
  const { comment } = card.querySelector(".form-state")?.dataset ?? {};
  return Boolean(words) && comment !== undefined && words.value.trim() !== comment && !card.querySelector(".stAlert");
};

/** Whether the options chosen in a story's form are those that are stored; a form that does not say is taken at its word. */
const isStored = (card) => {
  const { stored, waiting } = card.querySelector(".form-state")?.dataset ?? {};
  if (Number(waiting) || wordsWait(card)) return false;
  return !stored || stored === JSON.stringify(groupsOf(card).map((group) => optionsOf(group).findIndex(isChosen)));
};

class Watch {
  constructor(navigator) {
    this.navigator = navigator;
    this.tab = Math.random().toString(36).slice(2);
    this.others = new Set();
    this.savedElsewhere = false;
    this.tries = 0;
    this.since = 0;
    this.restored = sessionStorage.getItem(RELOADED) !== null;
    sessionStorage.removeItem(RELOADED);
    const clicked = (event) => this.onClick(event);
    const typed = (event) => this.onInput(event);
    const left = (event) => this.onLeft(event);
    document.addEventListener("click", clicked, true);
    document.addEventListener("input", typed, true);
    document.addEventListener("focusout", left, true);
    this.states = new MutationObserver(() => this.onState());
    this.states.observe(app(), { attributes: true, attributeFilter: ["data-test-script-state", "data-test-connection-state"] });
    this.channel = new BroadcastChannel("fabula");
    this.channel.onmessage = ({ data }) => this.onMessage(data);
    const gone = () => this.tell("bye");
    window.addEventListener("pagehide", gone);
    this.tell("hello");
    this.close = () => {
      gone();
      document.removeEventListener("click", clicked, true);
      document.removeEventListener("input", typed, true);
      document.removeEventListener("focusout", left, true);
      window.removeEventListener("pagehide", gone);
      clearTimeout(this.typing);
      this.states.disconnect();
      this.channel.close();
      clearTimeout(this.timer);
    };
  }

  /** "Saving…" from the click until the server has answered. */
  onClick(event) {
    if (event.target.closest?.("[class*=st-key-submit-]")) {
      delete document.querySelector(".st-key-handing-in")?.dataset.fabulaOld;
      if (event.isTrusted && document.querySelector("[data-fabula-saving], [data-fabula-typing]")) {
        event.preventDefault(); // the press that leaves a field of words would come with them, and be lost
        event.stopPropagation();
        this.navigator.keyboard.handIn();
      } else {
        this.navigator.missing();
      }
    }
    const control = event.target.closest?.("[role=radio], button[aria-pressed], .stCheckbox, .reader-tools button");
    const card = control?.closest("[class*=st-key-story-]");
    if (card) this.unsaved(card);
    if (!card || !event.isTrusted || card !== this.navigator.card()) return;
    const group = groupsOf(card).findIndex((controls) => controls.contains(control));
    if (group >= 0 && group < this.navigator.digits().length) this.navigator.ask(group + 1); // a digit goes on from there
  }

  /** Words are sent a moment after the last key, without leaving the field; until then nobody says that they are saved. */
  onInput({ target }) {
    const card = target.closest?.("textarea") && target.closest("[class*=st-key-story-]");
    if (!card) return;
    card.dataset.fabulaTyping = "";
    clearTimeout(this.typing);
    this.typing = setTimeout(() => target.dispatchEvent(new FocusEvent("focusout", { bubbles: true })), TYPED_MS);
  }

  onLeft({ target }) {
    const card = target.closest?.("textarea") && target.closest("[data-fabula-typing]");
    if (!card) return;
    clearTimeout(this.typing);
    delete card.dataset.fabulaTyping;
    this.unsaved(card);
  }

  unsaved(card) {
    card.dataset.fabulaSaving = "";
    const end = document.querySelector(".st-key-handing-in");
    if (end) end.dataset.fabulaOld = "";
    this.since = performance.now();
    this.later(FIRST_LOOK_MS);
  }

  onState() {
    this.later(LOOK_AGAIN_MS);
    const lost = stateOf("connection") !== "CONNECTED";
    if (this.lost && !lost) {
      this.restored = true;
      // A server that was started anew knows nothing of this page until somebody asks: see `settle`.
      const first = document.querySelector("[class*=st-key-story-]");
      if (first) this.unsaved(first);
      first?.querySelector(".form-state")?.dispatchEvent(new Event("compare"));
    }
    this.lost = lost;
    this.show();
  }

  later(time) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), time);
  }

  /** A card is saved when what it shows is what the database has. */
  settle() {
    if (stateOf("connection") !== "CONNECTED") return;
    if (stateOf("script") === "running" || this.navigator.keyboard.busy) {
      this.later(LOOK_AGAIN_MS);
      return;
    }
    const waited = performance.now() - this.since;
    if (waited < FIRST_LOOK_MS) {
      this.later(FIRST_LOOK_MS - waited);
      return;
    }
    const cards = [...document.querySelectorAll("[data-fabula-saving]")];
    const saved = cards.filter((card) => isStored(card));
    saved.forEach((card) => {
      delete card.dataset.fabulaSaving;
      delete card.dataset.fabulaAnswered;
    });
    if (saved.length) this.tell("saved");
    if (saved.length === cards.length) {
      this.tries = 0;
      return;
    }
    if (waited < LATE_MS) {
      this.later(LOOK_AGAIN_MS);
      return;
    }
    this.tries += 1;
    if (this.tries > TRIES && !cards.some(wordsWait)) { // words would be lost; they go on saying that they are not saved
      sessionStorage.setItem(RELOADED, "");
      window.location.reload(); // the server has forgotten this page, and would never answer
      return;
    }
    // Clicks in several stories at once: Streamlit may draw only some of them anew. Ask for the others.
    const waiting = cards.find((card) => !saved.includes(card));
    waiting.querySelector(".form-state").dispatchEvent(new Event("compare"));
    this.later(AGAIN_MS);
  }

  tell(kind) {
    this.channel.postMessage({ kind, tab: this.tab, panel: this.navigator.data.panel });
  }

  onMessage({ kind, tab, panel }) {
    if (panel !== this.navigator.data.panel) return;
    if (kind === "hello") this.tell("here");
    if (kind === "bye") this.others.delete(tab);
    else this.others.add(tab);
    if (kind === "saved") this.savedElsewhere = true;
    this.show();
  }

  show() {
    const { alert } = this.navigator;
    const { words } = this.navigator.data;
    let said = "";
    if (this.lost) {
      said = words.lost;
    } else if (this.savedElsewhere) {
      said = words.savedElsewhere;
    } else if (this.others.size) {
      said = words.openElsewhere;
    } else if (this.restored) {
      said = words.restored;
    }
    if (alert.dataset.said === said) return;
    alert.dataset.said = said;
    alert.replaceChildren(said);
    if (!this.lost && this.savedElsewhere) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words.showThem;
      button.addEventListener("click", () => window.location.reload());
      alert.append(" ", button);
    }
  }
}
