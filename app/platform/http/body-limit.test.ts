import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { BodyLimit, BodyTooLarge } from '#app/platform/http/body-limit.ts';

it('passes a body of exactly the limit on, and breaks off one byte later', async () => {
  const tooLarge = vi.fn();
  await expect(text(Readable.from([Buffer.from('ab'), Buffer.from('cd')]).pipe(new BodyLimit(4, tooLarge)))).resolves.toBe('abcd');
  expect(tooLarge).not.toHaveBeenCalled();
  await expect(text(Readable.from([Buffer.from('ab'), Buffer.from('cde')]).pipe(new BodyLimit(4, tooLarge)))).rejects.toBeInstanceOf(
    BodyTooLarge,
  );
  expect(tooLarge).toHaveBeenCalledOnce();
});
