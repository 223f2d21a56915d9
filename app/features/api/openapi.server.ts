import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { ApiKeyScope } from '#app/contracts/people.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { keepUpload } from '#app/engine/commands/runs/keep-upload.ts';
import { sendRunEvent } from '#app/engine/commands/runs/send-run-event.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import {
  apiApproval,
  apiEvent,
  apiFile,
  apiProblem,
  apiRun,
  apiRunDetail,
  apiShapes,
  apiStart,
  apiStarted,
  apiWorkflow,
  approvalsQuery,
  pageOf,
  pageQuery,
  runsQuery,
} from '#app/features/api/api-schemas.server.ts';

const NAMED = '#/components/schemas/';
/** A schema where it is used. Schemas shared by name are among the components. */
const schemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'output'): object => {
  const { $schema: _dialect, $defs: _named, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, metadata: apiShapes });
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${NAMED}`));
};
const body = (schema: z.ZodType) => ({ 'application/json': { schema: schemaOf(schema) } });
const shape = (name: string) => ({ 'application/json': { schema: { $ref: `${NAMED}${name}` } } });
const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

const REFUSALS = {
  400: problem('The query or body does not fit, or a key stands in the address'),
  401: problem('No API key, or one that is unknown, over or revoked'),
  403: problem('The key lacks the scope'),
  429: { ...problem('Too many calls'), headers: { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds to wait' } } },
};

function parametersOf(query: z.ZodObject) {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function reads(id: string, summary: string, scope: ApiKeyScope, answers: z.ZodType, more: { query?: z.ZodObject; path?: string } = {}) {
  return {
    operationId: id,
    summary,
    description: `Scope: ${scope}`,
    parameters: [
      ...(more.path === undefined ? [] : [{ name: more.path, in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]),
      ...(more.query === undefined ? [] : parametersOf(more.query)),
    ],
    responses: {
      200: { description: summary, content: body(answers) },
      ...REFUSALS,
      ...(more.path === undefined ? {} : { 404: problem('There is none, or this key may not see it') }),
    },
  };
}

const START = {
  operationId: 'startRun',
  summary: 'Start a live run of a published workflow',
  description: `Scope: ${startWorkflow.scope}. With an Idempotency-Key the same body gets the same answer and starts nothing twice.`,
  parameters: [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', minLength: 1, maxLength: 200 } }],
  requestBody: { required: true, content: { 'application/json': { schema: schemaOf(apiStart, 'input') } } },
  responses: {
    201: {
      description: 'The run was started',
      headers: { Location: { schema: { type: 'string', format: 'uri' } } },
      content: body(apiStarted),
    },
    ...REFUSALS,
    402: problem('The executions of the plan are used up'),
    404: problem('There is no such workflow in force'),
    409: problem('The Idempotency-Key was used with another body'),
    423: problem('The workspace is halted'),
  },
};

const EVENT = {
  operationId: 'sendEvent',
  summary: 'Send the event that a step of a run waits for',
  description: `Scope: ${sendRunEvent.scope}. It may come before the run gets to the step; one event counts.`,
  parameters: [
    { name: 'run', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    {
      name: 'step',
      in: 'path',
      required: true,
      schema: { type: 'string' },
      description: 'Short name of the step; inside a loop its path with the number of the item, such as lines~3~paid',
    },
  ],
  requestBody: { required: false, content: { 'application/json': { schema: { $ref: `${NAMED}Json` } } } },
  responses: {
    202: { description: 'The run continues with it' },
    ...REFUSALS,
    404: problem('There is no such run, this key may not see it, or the step takes no event'),
    409: problem('An event has come for this step'),
    410: problem('The step has gone on without it'),
  },
};

const FILE = {
  operationId: 'keepFile',
  summary: 'Upload a file for the input of a run',
  description: `Scope: ${keepUpload.scope}. Name it in a field of type file as {"file": "<id>"} when you start the run, or in a list of files. A file that no run has taken goes after a day.`,
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary' } },
          required: ['file'],
          additionalProperties: false,
        },
      },
    },
  },
  responses: {
    201: { description: 'The file as a run names it', content: body(apiFile) },
    ...REFUSALS,
    409: problem('As many files wait for a run as may'),
    413: problem('The body is larger than a file may be'),
  },
};

const WORKFLOW = { name: 'workflow', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } };

const CREATE = {
  operationId: 'createWorkflow',
  summary: 'Make a workflow with a draft',
  description: `Scope: ${createWorkflow.scope}. It is in force only when a person has published it.`,
  requestBody: { required: true, content: shape('NewWorkflow') },
  responses: {
    201: { description: 'Its draft', headers: { Location: { schema: { type: 'string', format: 'uri' } } }, content: shape('Draft') },
    ...REFUSALS,
    402: problem('The workflows of the plan are made'),
  },
};

const DRAFT = {
  get: {
    operationId: 'readDraft',
    summary: 'The draft of a workflow, published or not',
    description: `Scope: workflows:read or ${editWorkflow.scope}`,
    parameters: [WORKFLOW],
    responses: { 200: { description: 'The draft', content: shape('Draft') }, ...REFUSALS, 404: problem('There is none') },
  },
  put: {
    operationId: 'changeDraft',
    summary: 'Put a document in the place of a draft',
    description: `Scope: ${editWorkflow.scope}. What is in force stays until a person publishes the draft.`,
    parameters: [WORKFLOW],
    requestBody: { required: true, content: shape('DraftChange') },
    responses: {
      200: { description: 'The draft as it stands now', content: shape('Draft') },
      ...REFUSALS,
      404: problem('There is none'),
      409: problem('Someone changed the draft since that revision'),
    },
  },
};

/** The shapes by name; what they need is read as it may be sent, with all that may be left out. */
function shapes() {
  const { schemas } = z.toJSONSchema(apiShapes, { target: 'draft-2020-12', io: 'input', uri: (id) => `${NAMED}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...rest }]) => [name, rest]));
}

/** OpenAPI 3.1 of /api/v1, from the schemas that its answers are made with. */
export function openApiDocument(origin: string) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Quorate',
      version: '1',
      description:
        'Workflows, runs, approvals and the audit log of one workspace: the one of the API key. Workflows are published and approvals decided by people, never by a key.',
    },
    servers: [{ url: `${origin}/api/v1` }],
    security: [{ key: [] }],
    paths: {
      '/workflows': {
        get: reads('listWorkflows', 'Workflows in force', 'workflows:read', pageOf(apiWorkflow), { query: pageQuery }),
        post: CREATE,
      },
      '/workflows/{workflow}': { get: reads('readWorkflow', 'One workflow', 'workflows:read', apiWorkflow, { path: 'workflow' }) },
      '/workflows/{workflow}/draft': DRAFT,
      '/runs': { get: reads('listRuns', 'Runs, newest first', 'runs:read', pageOf(apiRun), { query: runsQuery }), post: START },
      '/runs/{run}': { get: reads('readRun', 'One run', 'runs:read', apiRunDetail, { path: 'run' }) },
      '/runs/{run}/events/{step}': { post: EVENT },
      '/files': { post: FILE },
      '/approvals': {
        get: reads('listApprovals', 'Approvals, newest first', 'approvals:read', pageOf(apiApproval), { query: approvalsQuery }),
      },
      '/approvals/{approval}': { get: reads('readApproval', 'One approval', 'approvals:read', apiApproval, { path: 'approval' }) },
      '/audit': {
        get: reads(
          'listAuditEvents',
          'The audit log, newest first: 7 days where two people share control',
          'audit:read',
          pageOf(apiEvent),
          { query: pageQuery },
        ),
      },
    },
    components: {
      schemas: { Problem: schemaOf(apiProblem), ...shapes() },
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of the form qk_…' } },
    },
  };
}

/** The document is the same for everyone. */
export function loadOpenApi(context: Readonly<RouterContextProvider>): Response {
  return Response.json(openApiDocument(context.get(servicesContext).origin), { headers: { 'Cache-Control': 'public, max-age=300' } });
}
