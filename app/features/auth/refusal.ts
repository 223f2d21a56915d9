import type { FormResult } from '#app/components/form/use-app-form.ts';
import type { FAILURE_TEXT, FailureGroup } from '#app/features/auth/auth-failure.ts';

/** Why a form that was filled in well was refused: the sentence's key in the namespace `auth`, and seconds to wait where that helps. */
export type Refusal = {
  group: FailureGroup;
  text: (typeof FAILURE_TEXT)[FailureGroup] | 'failure.tooManyPlain';
  seconds: number | null;
};

/** What an action of these screens answers unless it redirects. */
export type FormAnswer = { result: FormResult; refusal: Refusal | null };
