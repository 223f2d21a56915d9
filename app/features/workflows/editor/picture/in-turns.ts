/** So many elements change with one frame: hundreds at once would be felt. */
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
 * Changes many elements of the page: first those that are seen, and later the others, some with each frame. Returns a function that ends it before
 * all are changed.
 */
export function inTurns<One extends Element>(all: readonly One[], isSeen: (one: One) => boolean, change: (one: One) => void): () => void {
  if (all.length <= AT_ONCE) {
    all.forEach(change);
    return () => undefined;
  }
  let rest = [...all];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const go = () => {
    rest.splice(0, AT_ONCE).forEach(change);
    if (rest.length > 0) frame = requestAnimationFrame(go);
  };
  const prevent = afterFrame(() => {
    const seen = new Set(rest.filter(isSeen));
    rest = rest.filter((one) => !seen.has(one));
    seen.forEach(change);
    timer = setTimeout(go, REST_AFTER_MS);
  });
  return () => {
    prevent();
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
}
