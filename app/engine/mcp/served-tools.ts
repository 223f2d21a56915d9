import { type CallToolResult, fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import type { ServedRun } from '#app/contracts/runs.ts';
import { plainSubject } from '#app/domain/runs/subject/subject-text.ts';
import { inputSchemaOf } from '#app/domain/workflows/workflow.ts';
import { inputValidator, refusedInput } from '#app/engine/runs/steps/input-validator.ts';
import { askPage } from '#app/engine/serving/served-runs.ts';
import type { ServedWorkflow } from '#app/engine/serving/served-workflows.ts';
import { RESERVED_GATEWAY_TOOLS } from '#app/engine/serving/tool-names.ts';

type Input = { [name: string]: Json };

/** The answer of every tool. */
export const OUTCOME = fromJsonSchema<Input>({
  type: 'object',
  properties: {
    runId: { type: 'string', description: 'Ask get_run with it' },
    number: { type: 'integer', description: 'Counts in the workspace; people write it as #12' },
    subject: { type: ['string', 'null'], description: 'What the run is about, as its workflow makes it of the input' },
    status: { type: 'string', enum: ['pending', 'processing', 'waiting', 'completed', 'failed', 'cancelled'] },
    output: { description: 'What the workflow gave; null until it is completed' },
    error: { description: 'Why it failed: the key of a reason with its values' },
    waitsFor: { type: ['string', 'null'], enum: ['approval', 'form', 'signIn', null], description: 'What a waiting run needs of a person' },
    approvalUrl: { type: ['string', 'null'], description: 'Where a person decides, or fills in the form, that the run waits for' },
  },
  required: ['runId', 'status', 'output'],
});
export const RUN_ID = z.object({ runId: z.uuid() });

/** Kept as long as the workflow is. */
const schemas = new WeakMap<ServedWorkflow, StandardSchemaWithJSON<Input>>();

/** The schema of a tool's arguments. The SDK's own would compile each one when it is listed, and keep every one forever. */
export function toolSchema(workflow: ServedWorkflow): StandardSchemaWithJSON<Input> {
  const known = schemas.get(workflow);
  if (known !== undefined) return known;
  const json = inputSchemaOf(workflow.document);
  const schema: StandardSchemaWithJSON<Input> = {
    '~standard': {
      version: 1,
      vendor: 'quorate',
      jsonSchema: { input: () => json, output: () => json },
      validate(value) {
        const validate = inputValidator(workflow.document);
        return validate(value) ? { value: value as Input } : { issues: [{ message: refusedInput(validate) }] };
      },
    },
  };
  schemas.set(workflow, schema);
  return schema;
}

const namingSchema = z.object({ method: z.string(), params: z.object({ name: z.string() }).optional().catch(undefined) });

/**
 * The one tool that the answer to this message needs, by its name: null for a greeting and the like, which need none; `all` for a list, and
 * for what nobody here can read (several messages at once). With hundreds of tools, making them all costs more than the call.
 */
export function toolAskedFor(body: unknown): 'all' | { name: string } | null {
  const { data } = namingSchema.safeParse(body);
  if (data === undefined || data.method === 'tools/list') return 'all';
  const name = data.method === 'tools/call' ? data.params?.name : undefined;
  return name === undefined ? null : { name };
}

/** The tools that a message calls, by name, without those of every gateway. Several messages at once, which older clients send, may call several. */
export function callsOf(body: unknown): string[] {
  return (Array.isArray(body) ? body : [body]).flatMap((message: unknown) => {
    const { data } = namingSchema.safeParse(message);
    const name = data?.method === 'tools/call' ? data.params?.name : undefined;
    return name === undefined || RESERVED_GATEWAY_TOOLS.includes(name) ? [] : [name];
  });
}

/** Whether a message, or one of several, asks for this. */
export function asksFor(body: unknown, method: string): boolean {
  return (Array.isArray(body) ? body : [body]).some((message: unknown) => namingSchema.safeParse(message).data?.method === method);
}

/** How a run stands and what it gave: the answer of a workflow's tool and of `get_run`, and of any call that waits for a person. */
export function runOutcome(run: ServedRun, origin: string): CallToolResult {
  const structuredContent = {
    runId: run.id,
    number: run.number,
    subject: plainSubject(run.subject),
    status: run.status,
    output: run.output,
    ...(run.error === null ? {} : { error: run.error }),
    ...(run.status === 'waiting' ? { waitsFor: run.ask?.what ?? null, approvalUrl: askPage(origin, run) } : {}),
  };
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(run.status === 'failed' || run.status === 'cancelled' ? { isError: true } : {}),
  };
}
