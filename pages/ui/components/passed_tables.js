// A grid presses its first cell as soon as the keyboard reaches it: it is passed over, and a list before it does the same.

export default function () {
  if (window.fabulaPassedTables) return;
  window.fabulaPassedTables = true;
  const pass = () => {
    const listed = "[class*='st-key-pressed-'] [data-testid='data-grid-canvas']:not([tabindex='-1'])";
    for (const grid of document.querySelectorAll(listed)) grid.tabIndex = -1;
  };
  pass();
  new MutationObserver(pass).observe(document.body, { subtree: true, childList: true });
}
