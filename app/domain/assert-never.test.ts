import { expect, it } from 'vitest';
import { assertNever } from '#app/domain/assert-never.ts';

it('names the value that no case takes', () => {
  expect(() => assertNever('loop' as never)).toThrow('no case for loop');
  expect(() => assertNever({ kind: 'loop' } as never)).toThrow('no case for {"kind":"loop"}');
});
