/** Choices of the step form. */
export const APPROVAL_RISKS = ['low', 'medium', 'high'] as const;
/** Empty rows that a form offers below those that stand, for adding without scripts. */
export const SPARE_ROWS = 2;
