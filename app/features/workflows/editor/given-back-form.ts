import type { FormResult } from '#app/components/form/use-app-form.ts';

/** Why no test was started. */
export type TestRefusal = 'draftChanged' | 'stepIssues' | 'testData' | 'tooLarge' | 'halted' | 'input' | 'queue';
/** The form beside a step as it was sent. `names`: the field for which names are offered. */
export type GivenBackForm = { form: FormResult; refusedTest?: TestRefusal; names?: string };
