/**
 * Extension of an agent card by which an agent states JSON Schemas of what each skill takes and gives, which A2A 1.0 has
 * no place for. `params` maps the id of a skill to `{ inputSchema, outputSchema }`.
 */
export const SKILL_SCHEMAS_EXTENSION = 'urn:quorate:a2a:skill-schemas:1';
/** Name of our own in the metadata of a message: the skill that is meant, which A2A leaves to the words of the message. */
export const SKILL_METADATA = 'quorate/skill';
