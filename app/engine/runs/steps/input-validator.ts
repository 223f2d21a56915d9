import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { inputSchemaOf, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';

const ajv = new Ajv2020({ allErrors: true, strict: false });
addFormats.default(ajv);
/** Kept as long as the document is. */
const validators = new WeakMap<WorkflowDocument, ValidateFunction>();

/** Checks a run's input against the fields of its workflow; compiled once for each document that is kept. */
export function inputValidator(document: WorkflowDocument): ValidateFunction {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const schema = inputSchemaOf(document);
  const validate = ajv.compile(schema);
  // ajv keeps every schema it has compiled
  ajv.removeSchema(schema);
  validators.set(document, validate);
  return validate;
}

/** The last refusal of a validator in one English sentence. */
export const refusedInput = (validate: ValidateFunction): string => ajv.errorsText(validate.errors);
