/** A document over this size is refused before it is read further (bytes of its JSON). */
export const WORKFLOW_MAX_BYTES = 262_144;
export const WORKFLOW_MAX_STEPS = 200;
export const WORKFLOW_MAX_DEPTH = 5;
/** Characters that the template of a run's subject, or of an approval's sentence, may have. */
export const SUBJECT_TEMPLATE_MAX = 500;
/** Expressions in one of them. */
export const SUBJECT_MAX_EXPRESSIONS = 10;
