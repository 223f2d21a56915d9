/**
 * Does what lays the whole page out anew after the next picture, so that what was pressed shows first: 200 rows take a slow machine
 * longer than somebody waits without wondering. Answers what calls it off.
 */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
