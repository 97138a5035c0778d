// The press that leaves a field sends its value, and the link under it is still the one of before: it is followed once
// the page has drawn anew.

const LINK = 'a[href*="/download/"]';
const LOOK = 50;
const BEGUN = 300; // milliseconds after which the page has begun to take in what it was sent

export default function () {
  if (window.fabulaCurrentLinks) return;
  window.fabulaCurrentLinks = true;
  const settled = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";
  let left = -Infinity;
  let following = false;
  addEventListener("pointerdown", (event) => {
    if (event.target.closest?.(LINK) && document.activeElement?.matches("input, textarea")) left = performance.now();
  }, true);
  addEventListener("click", (event) => {
    const link = event.target.closest?.(LINK);
    if (!link || following || (settled() && performance.now() - left > BEGUN)) return;
    event.preventDefault();
    event.stopPropagation();
    const place = link.closest('[class*="st-key-download-"]');
    const key = [...(place?.classList ?? [])].find((name) => name.startsWith("st-key-"));
    const follow = () => {
      if (!settled() || performance.now() - left <= BEGUN) return void setTimeout(follow, LOOK);
      following = true;
      (key ? document.querySelector(`.${CSS.escape(key)} ${LINK}`) : link)?.click();
      following = false;
    };
    setTimeout(follow, LOOK);
  }, true);
}
