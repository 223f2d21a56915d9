import { z } from 'zod';

export const createWorkflowSchema = z.object({
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2000).default(''),
  /** Id of a template to begin with; empty: an empty outline. */
  template: z.string().max(60).default(''),
});
