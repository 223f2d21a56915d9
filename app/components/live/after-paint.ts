/**
 * Defers work that lays the whole page out again until after the next frame, so that the pressed control reacts first: with 200 rows a slow
 * machine takes noticeably long. Returns its cancellation.
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
