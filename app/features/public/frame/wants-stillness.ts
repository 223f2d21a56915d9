/** True when nothing is to move by itself: the system says so, or the person's own setting does (a class of the document). */
export function wantsStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches || document.documentElement.classList.contains('reduce-motion');
}
