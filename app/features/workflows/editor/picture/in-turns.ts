/** So many elements change with one frame: with each the browser puts the whole page together again, and hundreds at once would be felt. */
const AT_ONCE = 20;
/** A key is still held down so long after the page has answered it, and letting go of it must not wait for the rest. */
const REST_AFTER_MS = 250;

/** Calls back once the next frame is painted, so that what a key or click has said already is seen first. Returns a function that prevents it. */
export function afterFrame(callback: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(callback);
  });
  return () => cancelAnimationFrame(frame);
}

/**
 * Changes many elements of the page: those that are seen at once, and later the others, some with each frame. Returns a function that ends it before
 * all are changed.
 */
export function inTurns<One extends Element>(all: readonly One[], isSeen: (one: One) => boolean, change: (one: One) => void): () => void {
  // All are looked at before one is changed: the browser would lay out the page again for each.
  const seen = new Set(all.filter(isSeen));
  seen.forEach(change);
  const rest = all.filter((one) => !seen.has(one));
  let frame = 0;
  const go = () => {
    rest.splice(0, AT_ONCE).forEach(change);
    if (rest.length > 0) frame = requestAnimationFrame(go);
  };
  const timer = setTimeout(go, rest.length > AT_ONCE ? REST_AFTER_MS : 0);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
}
