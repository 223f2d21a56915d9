/** A document over this size is refused before it is read further (bytes of its JSON). */
export const WORKFLOW_MAX_BYTES = 262_144;
export const WORKFLOW_MAX_STEPS = 200;
export const WORKFLOW_MAX_DEPTH = 5;
