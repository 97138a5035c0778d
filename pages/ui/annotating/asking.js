// What a form asks of the server besides its controls, and what of the form is stored: the watch compares the two.

class Asking {
  constructor(root) {
    this.root = root;
    this.root.classList.add("form-state");
    this.root.addEventListener("compare", () => this.ask({ what: "compare" }));
    this.waiting = []; // what was asked of the server and is not done
  }

  show({ stored, done, comment }, send) {
    this.send = send;
    this.done = done;
    this.waiting = this.waiting.filter(({ id }) => id > done);
    this.root.dataset.stored = JSON.stringify(stored);
    this.root.dataset.comment = comment;
    this.tell();
  }

  /** Asks that come quickly arrive together, so each is sent again with the next until the server says that it is done. */
  ask(wish) {
    const id = Math.max(Date.now(), this.done + 1, (this.waiting.at(-1)?.id ?? 0) + 1); // clocks may be set back
    this.waiting = [...this.waiting, { id, ...wish }];
    this.tell();
    this.send("asked", this.waiting);
  }

  tell() {
    this.root.dataset.waiting = this.waiting.length;
  }
}
