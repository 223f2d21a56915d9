import { AppError, type ErrorCode } from '#app/domain/errors.ts';

/** One sentence of a refusal: a key of the namespace `validation`, with the values that it names. */
export type Reason = { key: string; values?: Record<string, string | number> };
/** `what` tells programs which of several things is meant. */
export type RefusalText = { code: ErrorCode; field?: string; what?: string; reasons: readonly Reason[] };

/** An expected failure that a person can put right: it is said beside `field`, or above the form where it is about all of it. */
export class Refusal extends AppError {
  readonly field: string | null;
  readonly reasons: readonly Reason[];
  constructor({ code, field, what, reasons }: RefusalText, cause?: unknown) {
    const values = { ...reasons[0]?.values, ...(what === undefined ? {} : { what }) };
    super(code, { cause, values, message: reasons.map(({ key }) => key).join(', ') });
    this.field = field ?? null;
    this.reasons = reasons;
  }
}

/** A refusal of one sentence. */
export function refusal(
  code: ErrorCode,
  key: string,
  { values, ...more }: { field?: string; what?: string; values?: Record<string, string | number> } = {},
): Refusal {
  return new Refusal({ code, ...more, reasons: [values === undefined ? { key } : { key, values }] });
}
