import { expect, it } from 'vitest';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { leafHash, nodeHash } from '#app/domain/audit/merkle.ts';
import { sha256 } from '#app/engine/audit/sha256.ts';
import { EXAMPLE_PROOF, entryText } from '#app/features/public/example/example-log.ts';

it('shows a proof whose every hash is the true one', () => {
  let level = Array.from({ length: EXAMPLE_PROOF.size }, (_, index) => leafHash(sha256, new TextEncoder().encode(entryText(index))));
  let place = EXAMPLE_PROOF.index;
  const at = (index: number) => hex(level[index] ?? expect.fail(`no node ${index}`));
  expect(EXAMPLE_PROOF.leaf).toBe(at(place));
  for (const [height, step] of EXAMPLE_PROOF.steps.entries()) {
    const neighbour = place ^ 1;
    expect(step).toMatchObject({ side: neighbour < place ? 'left' : 'right', neighbour: at(neighbour) });
    expect([step.from, step.to]).toEqual([neighbour * 2 ** height, (neighbour + 1) * 2 ** height - 1]);
    level = level.flatMap((left, index) => {
      const right = level[index + 1];
      return index % 2 === 1 || right === undefined ? [] : [nodeHash(sha256, left, right)];
    });
    place >>= 1;
    expect(step.result).toBe(at(place));
  }
  expect(level.map(hex)).toEqual([EXAMPLE_PROOF.root]);
});
