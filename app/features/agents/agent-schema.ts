import { z } from 'zod';

const whole = (min: number, max: number) => z.number().int().min(min).max(max);

export const agentFormSchema = z.object({
  /** Revision of the draft that the form shows; 0 for a new agent. */
  revision: z.number().int().min(0).default(0),
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2000).default(''),
  /** Separated by commas. */
  tags: z.string().trim().max(400).default(''),
  instructions: z.string().trim().max(20_000).default(''),
  /** `<connection>/<model>`, or empty. */
  model: z.string().max(260).default(''),
  maxTokens: whole(1, 100_000).optional(),
  /** `tool:<connection>/<name>` or `skill:<connection>/<name>`. */
  tools: z.array(z.string().max(270)).max(40).default([]),
  steps: whole(1, 100),
  tokens: whole(100, 5_000_000),
  /** US dollars; empty: no limit of its own. */
  cost: z.number().min(0.000001).max(1_000).optional(),
  seconds: whole(5, 3_600),
});
export type AgentForm = z.infer<typeof agentFormSchema>;

export const runAgentSchema = z.object({
  task: z.string().trim().min(1).max(20_000),
  _key: z.uuid(),
});
