import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

function fieldSchema(field: InputField): z.ZodType {
  switch (field.type) {
    case 'number':
      return field.required ? z.number() : z.number().optional();
    case 'boolean':
      return z.boolean().default(false);
    case 'choice':
      return field.required ? z.enum(visibleOptions(field)) : z.enum(visibleOptions(field)).optional();
    case 'date':
      return field.required ? z.iso.date() : z.iso.date().optional();
    case 'text':
    case 'longtext': {
      const text = z.string().max(100_000);
      return field.required ? text.trim().min(1) : text.optional();
    }
  }
}

/** The members of a form's schema for the fields that an author has written. None begins with an underscore. */
export const inputFieldShape = (fields: readonly InputField[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)]));

/** The values of a form of that shape, without those of fields that were left empty. */
export const givenValues = (values: { [name: string]: unknown }): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [name: string]: Json };
