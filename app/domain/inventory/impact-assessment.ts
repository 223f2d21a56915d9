import { z } from 'zod';
import { DATA_CLASSES, RISK_CLASSES } from '#app/domain/inventory/agent-record.ts';
import { IMPACT_QUESTIONS, type ImpactQuestion } from '#app/domain/inventory/impact-questions.ts';

const QUESTION_IDS = IMPACT_QUESTIONS.map(({ id }) => id);

export const ANSWER_MAX = 5_000;
const answer = z.string().trim().max(ANSWER_MAX).default('');
export const impactAnswersSchema = z.object({
  process: answer,
  period: answer,
  people: answer,
  harms: answer,
  necessity: answer,
  oversight: answer,
  measures: answer,
} satisfies Record<ImpactQuestion, typeof answer>);
export type ImpactAnswers = z.output<typeof impactAnswersSchema>;

/** How many of the questions have an answer. */
export const answeredOf = (answers: ImpactAnswers): number => QUESTION_IDS.filter((id) => answers[id] !== '').length;

/** The known facts of an agent. Counts are of live runs of the last 365 days. `effect`: what a tool says of itself. */
export const agentFactsSchema = z.object({
  purpose: z.string(),
  owner: z.string().nullable(),
  riskClass: z.enum(RISK_CLASSES).nullable(),
  dataClasses: z.array(z.enum(DATA_CLASSES)),
  models: z.array(z.string()),
  tools: z.array(z.object({ name: z.string(), connection: z.string(), effect: z.enum(['reads', 'writes', 'destroys', 'unstated']) })),
  policies: z.array(z.string()),
  workflows: z.array(z.string()),
  runs: z.int(),
  approvals: z.int(),
  incidents: z.int(),
});
export type AgentFacts = z.output<typeof agentFactsSchema>;
