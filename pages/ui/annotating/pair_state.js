// The line below a pair's form: whether the answer is saved, and a button to the next pair, where there is one to go to.

class PairState {
  constructor(parent) {
    this.root = document.createElement("div");
    this.root.className = "pair-state";
    this.said = document.createElement("span");
    this.next = document.createElement("button");
    this.next.type = "button";
    this.next.className = "pair-next";
    this.next.addEventListener("click", () => document.dispatchEvent(new Event("fabula-next")));
    this.root.append(this.said, this.next);
    parent.append(this.root); // beside the style sheet that stands there
    this.asking = new Asking(this.root);
  }

  show(data, send) {
    this.asking.show(data, send);
    this.said.className = `pair-said pair-${data.kind}`;
    this.said.textContent = data.text;
    this.next.textContent = data.next;
  }
}

const states = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  if (!states.has(parentElement)) states.set(parentElement, new PairState(parentElement));
  states.get(parentElement).show(data, setStateValue);
  return () => {
    states.get(parentElement)?.root.remove();
    states.delete(parentElement);
  };
}
