/** Calls `work` at once, or for the first time not before so long; and for all calls that follow too early once more when the time is over. */
export function atMostEvery(ms: number, work: () => void, first: 'at once' | 'soon' = 'at once'): { call(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const call = () => {
    if (timer !== undefined) {
      again = true;
      return;
    }
    work();
    rest();
  };
  const rest = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!again) return;
      again = false;
      call();
    }, ms);
  };
  if (first === 'soon') rest();
  return { call, stop: () => clearTimeout(timer) };
}
