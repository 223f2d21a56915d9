import { z } from 'zod';
import { inputFieldShape, withinEntries } from '#app/components/form/input-field-shape.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';

export const answerTaskSchema = (fields: readonly InputField[]) => z.object(inputFieldShape(fields)).superRefine(withinEntries);
