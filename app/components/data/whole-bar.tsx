/**
 * Stands in a page whose bar comes before its `#content`: the bar is first shown as a whole, for half of it would move as its other half
 * comes. Browsers that do not know it show what they have; a page that is drawn in the browser comes as a whole anyway.
 */
export function WholeBar() {
  return import.meta.env.SSR ? <link rel="expect" href="#content" blocking="render" /> : null;
}
