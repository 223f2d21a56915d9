/**
 * For a page whose bar comes before its `#content`: first painted when the bar is complete, so that it does not move while its second half
 * arrives. Browsers that do not know this paint as they always do; a page drawn in the browser is complete anyway.
 */
export function BlockFirstPaint() {
  return import.meta.env.SSR ? <link rel="expect" href="#content" blocking="render" /> : null;
}
