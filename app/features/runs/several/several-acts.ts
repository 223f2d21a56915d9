/** Things that can be done with several runs of the list at once. */
export const SEVERAL_ACTS = ['cancel', 'retry'] as const;
export type SeveralAct = (typeof SEVERAL_ACTS)[number];
