import { href } from 'react-router';
/** The address of a whole value, of a run or of one of its steps (by path), as a file; frames: of a step alone. */
export function valueAddress(run: string, of: 'input' | 'output' | 'frames', step?: string): string {
  return `${href('/dashboard/runs/:run/value', { run })}?${new URLSearchParams({ of, ...(step === undefined ? {} : { step }) })}`;
}
