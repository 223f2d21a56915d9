/** Where a whole value of a run, or of one of its steps (by its path), is a file. */
export function valueAddress(run: string, of: 'input' | 'output', step?: string): string {
  return `/dashboard/runs/${run}/value?${new URLSearchParams({ of, ...(step === undefined ? {} : { step }) })}`;
}
