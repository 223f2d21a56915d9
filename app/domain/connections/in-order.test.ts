import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { inOrderOf } from '#app/domain/connections/in-order.ts';

describe('inOrderOf', () => {
  const ordered = (value: Json, model: Json) => JSON.stringify(inOrderOf(value, model));

  it('orders keys as the model has them, at every depth, and leaves the values alone', () => {
    const model = { zeta: 1, a: { mm: 1, b: [{ y: 1, x: 2 }] } };
    expect(ordered({ a: { b: [{ x: 3, y: 4 }], mm: 5 }, zeta: 6 }, model)).toBe('{"zeta":6,"a":{"mm":5,"b":[{"y":4,"x":3}]}}');
  });

  it('keys that the model lacks come last, in their own order', () => {
    expect(ordered({ q: 1, a: 2, p: 3 }, { a: 0, gone: 0 })).toBe('{"a":2,"q":1,"p":3}');
    expect(ordered({ b: 1, a: [null, 'x'] }, null)).toBe('{"b":1,"a":[null,"x"]}');
  });
});
