import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { inputSchemaOf, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
/** Kept as long as the document is. */
const validators = new WeakMap<WorkflowDocument, ValidateFunction>();
/** By what the schema says: a document that each call reads anew is compiled once all the same, which costs more than the rest of a check. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 });

/** Checks a run's input against the fields of its workflow; compiled once for fields that are the same. */
export function inputValidator(document: WorkflowDocument): ValidateFunction {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const schema = inputSchemaOf(document);
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? compile(schema);
  compiled.set(text, validate);
  validators.set(document, validate);
  return validate;
}

function compile(schema: ReturnType<typeof inputSchemaOf>): ValidateFunction {
  const validate = ajv.compile(schema);
  // ajv keeps every schema it has compiled
  ajv.removeSchema(schema);
  return validate;
}

/** The last refusal of a validator in one English sentence. */
export const refusedInput = (validate: ValidateFunction): string => ajv.errorsText(validate.errors);
