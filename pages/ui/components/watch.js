// Whether what is on the form is in the database: an answer on its way, a lost connection, the panel in a second tab.

const app = () => document.querySelector("[data-testid=stApp]");
const stateOf = (name) => app()?.getAttribute(`data-test-${name}-state`);

class Watch {
  constructor(navigator) {
    this.navigator = navigator;
    this.tab = Math.random().toString(36).slice(2);
    this.others = new Set();
    this.savedElsewhere = false;
    const clicked = (event) => this.onClick(event);
    document.addEventListener("click", clicked, true);
    this.states = new MutationObserver(() => this.onState());
    this.states.observe(app(), { attributes: true, attributeFilter: ["data-test-script-state", "data-test-connection-state"] });
    this.channel = new BroadcastChannel("fabula");
    this.channel.onmessage = ({ data }) => this.onMessage(data);
    const left = () => this.tell("bye");
    window.addEventListener("pagehide", left);
    this.tell("hello");
    this.close = () => {
      left();
      document.removeEventListener("click", clicked, true);
      window.removeEventListener("pagehide", left);
      this.states.disconnect();
      this.channel.close();
      clearTimeout(this.timer);
    };
  }

  /** "Saving…" from the click until the server has answered. */
  onClick(event) {
    const control = event.target.closest?.("[role=radio], button[aria-pressed], .stCheckbox, .reader-tools button");
    const card = control?.closest("[class*=st-key-story-]");
    if (!card) return;
    card.dataset.fabulaSaving = "";
    this.ran = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), 1500); // a click that changes nothing is never sent
  }

  onState() {
    if (stateOf("script") === "running") this.ran = true;
    else if (this.ran) this.settle();
    const lost = stateOf("connection") !== "CONNECTED";
    if (this.lost && !lost) this.restored = true;
    this.lost = lost;
    this.show();
  }

  settle() {
    if (stateOf("connection") !== "CONNECTED" || stateOf("script") === "running") return;
    const cards = document.querySelectorAll("[data-fabula-saving]");
    cards.forEach((card) => delete card.dataset.fabulaSaving);
    if (cards.length) this.tell("saved");
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
    let words = "";
    if (this.lost) {
      words = "No connection. What was saved is kept; go on when this line has gone.";
    } else if (this.savedElsewhere) {
      words = "Answers were saved in another tab.";
    } else if (this.others.size) {
      words = "This is open in another tab too. Close one of them: a tab does not see what the other saves.";
    } else if (this.restored) {
      words = "The connection is back. Look whether your last answer is there.";
    }
    if (alert.dataset.words === words) return;
    alert.dataset.words = words;
    alert.replaceChildren(words);
    if (!this.lost && this.savedElsewhere) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Show them";
      button.addEventListener("click", () => window.location.reload());
      alert.append(" ", button);
    }
  }
}
