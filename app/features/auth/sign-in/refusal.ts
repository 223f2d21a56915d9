import type { FormResult } from '#app/components/form/use-app-form.ts';
import type { FailureGroup } from '#app/features/auth/browser/auth-error-codes.ts';
import type { FAILURE_TEXT } from '#app/features/auth/browser/auth-failure.ts';

/** Why a form that was filled in well was refused: the sentence's key in the namespace `auth`, and seconds to wait where that helps. */
export type Refusal = {
  group: FailureGroup;
  text: (typeof FAILURE_TEXT)[FailureGroup];
  seconds: number | null;
  /** Under which the log has the failure that we have no words for. */
  reference: string | null;
};

/** The answer of these screens' actions unless they redirect; `form` names the form, where a page holds several. */
export type FormAnswer = { form: string; result: FormResult; refusal: Refusal | null };

/** The answer to this form, or none if another form of the page was sent. */
export function answerTo(form: string, answer: FormAnswer | undefined): FormAnswer | undefined {
  return answer?.form === form ? answer : undefined;
}
