import { IMPACT_QUESTIONS } from '#app/domain/inventory/impact-questions.ts';
import { writeCsv } from '#app/engine/documents/write-csv.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';

/** The impact assessments of a pack as CSV: one row an agent, with what was known of it and each answer. */
export function writeAssessmentsCsv({ assessments }: PackScope): string {
  return writeCsv(
    [
      ...['agent_id', 'agent', 'version', 'saved_at', 'saved_by', 'owner', 'purpose', 'risk_class', 'data_classes', 'models', 'tools'],
      ...['policies', 'workflows', 'live_runs', 'approvals', 'incidents'],
      ...IMPACT_QUESTIONS.map(({ id }) => `answer_${id}`),
    ],
    assessments.map(({ agent, name, number, at, by, facts, answers }) => [
      ...[agent, name, number, at.toISOString(), by, facts.owner, facts.purpose, facts.riskClass, facts.dataClasses.join(' ')],
      ...[facts.models.join('; '), facts.tools.map((tool) => `${tool.name} (${tool.effect})`).join('; '), facts.policies.join('; ')],
      ...[facts.workflows.join('; '), facts.runs, facts.approvals, facts.incidents],
      ...IMPACT_QUESTIONS.map(({ id }) => answers[id]),
    ]),
  );
}
