// A page completes its own address, with the study that it shows say: that is no step of its reader's to go back to.
// Nor are two entries for one press: a link's is first made of the page that it leads away from.

export default function (component) {
  const completed = new Set(component.data.parts);
  if (window.fabulaOneStep) return;
  window.fabulaOneStep = true;
  let pressed = false; // and no entry made since
  for (const press of ["pointerdown", "click", "keydown"]) addEventListener(press, () => (pressed = true), true);
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const now = new URL(location.href);
    const next = new URL(url ?? "", location.href);
    const said = (address, part) => address.searchParams.getAll(part).join();
    const parts = [...new Set([...now.searchParams.keys(), ...next.searchParams.keys()])];
    const changed = parts.filter((part) => said(now, part) !== said(next, part));
    const own = (part) => completed.has(part) && !(now.searchParams.has(part) && next.searchParams.has(part));
    const within = now.pathname === next.pathname;
    if (within ? !pressed || changed.every(own) : !pressed && now.search && !changed.length) {
      history.replaceState(state, unused, url);
      return;
    }
    pressed = false;
    push(state, unused, url);
  };
}
