/** True when nothing is to move on its own: the system says so, or the person's own setting does (a class of the document). */
export function wantsStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.classList.contains('reduce-motion');
}
