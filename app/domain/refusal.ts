import { AppError, type ErrorCode } from '#app/domain/errors.ts';

/** One sentence of a refusal: a key of the namespace `validation`, with the values that it names. */
export type Reason = { key: string; values?: Record<string, string | number> };
export type RefusalText = { code: ErrorCode; field?: string; reasons: readonly Reason[] };

/** An expected failure that a person can put right: it is said beside `field`, or above the form where it is about all of it. */
export class Refusal extends AppError {
  readonly field: string | null;
  readonly reasons: readonly Reason[];
  constructor({ code, field, reasons }: RefusalText, cause?: unknown) {
    super(code, { cause, values: { ...reasons[0]?.values }, message: reasons.map(({ key }) => key).join(', ') });
    this.field = field ?? null;
    this.reasons = reasons;
  }
}

/** A refusal of one sentence. */
export const refusal = (code: ErrorCode, key: string, more: { field?: string; values?: Record<string, string | number> } = {}): Refusal =>
  new Refusal({
    code,
    ...(more.field === undefined ? {} : { field: more.field }),
    reasons: [{ key, ...(more.values === undefined ? {} : { values: more.values }) }],
  });
