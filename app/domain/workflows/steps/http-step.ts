import { z } from 'zod';
import { isHeaderName, STATUSES } from '#app/domain/connections/http-api.ts';
import type { CatalogueProtocol } from '#app/domain/workflows/catalogue.ts';
import { isExpression } from '#app/domain/workflows/mappings/expression-text.ts';
import { findTarget, noTarget, targetCommon, unknownOutcomeCommon } from '#app/domain/workflows/steps/call-step.ts';
import { inList } from '#app/domain/workflows/steps/http-request.ts';
import { type StepCheck, type StepRules, stepCommon } from '#app/domain/workflows/steps/step-rules.ts';

const httpStepSchema = z.object({ ...stepCommon, ...unknownOutcomeCommon, kind: z.literal('http'), ...targetCommon });
export type HttpStep = z.infer<typeof httpStepSchema>;

const protocols: readonly CatalogueProtocol[] = ['http'];

/** A request to an HTTP API. The capability is the method; the input is `path`, `body`, `expect`, and `query.<name>` and `headers.<name>`. */
export const httpRules: StepRules<HttpStep> = {
  schema: httpStepSchema,
  create: (base) => ({ ...base, kind: 'http', ...noTarget() }),
  mappings: ({ input }) => input,
  check(step, at) {
    // Nothing is chosen by a task: which API is called is no matter of words.
    findTarget({ ...step, task: '' }, protocols, at);
    checkRequest(step.input, at);
  },
  protocols,
  askedAgain: false,
  repeats: false,
  outputNames: () => ['status', 'headers', 'body'],
  innerNames: () => [],
};

function checkRequest(input: Record<string, string>, { report }: StepCheck): void {
  const { path = '', expect = '' } = input;
  if (path.trim() === '') report('path', 'missingMapping', { name: 'path' });
  else if (!isExpression(path) && !/^\/[^?#\\\s]*$/.test(path)) report('path', 'httpPath');
  if (expect !== '' && !isExpression(expect) && !STATUSES.test(expect)) report('expect', 'httpStatuses');
  for (const name of Object.keys(input)) {
    const member = inList(name);
    if (member === null) {
      if (!['path', 'body', 'expect'].includes(name)) report(`input.${name}`, 'unknownMapping', { name });
    } else if (member.list === 'headers' && !isHeaderName(member.name)) report('headers', 'httpHeader', { name: member.name });
  }
}

/** The part of a step's output that stands for what was answered: of a request, beside status and headers, its body. */
export const answeredBy = (step: { kind: string; id: string }): string =>
  step.kind === 'http' ? `steps.${step.id}.body` : `steps.${step.id}`;
