import {
  type AppAdapter,
  answer,
  anyObject,
  fields,
  list,
  queryValue,
  segment,
  text,
  whole,
} from '#app/engine/connections/apps/app-adapter.ts';

/** n8n public API, version 1, and production webhooks. The address is the instance's. */
export const n8n: AppAdapter = {
  headers: (credential): Record<string, string> => (credential === null ? {} : { 'x-n8n-api-key': credential }),
  check: { method: 'GET', path: '/api/v1/workflows', query: { limit: 1 } },
  capabilities: [
    {
      name: 'trigger_webhook',
      title: 'Trigger a webhook',
      description: 'Posts a JSON body to the production webhook of a workflow and answers what it responds.',
      effect: 'writes',
      inputSchema: fields({ path: text('Webhook path', { pattern: '^[A-Za-z0-9_-]+(?:/[A-Za-z0-9_-]+)*$' }), body: anyObject('Body') }, [
        'path',
      ]),
      outputSchema: answer({ result: {} }),
      request: (input) => ({
        method: 'POST',
        path: `/webhook/${String(input.path ?? '')
          .split('/')
          .map(segment)
          .join('/')}`,
        body: input.body ?? {},
        // The workflow behind a webhook is anyone's; the key opens the whole instance.
        withoutCredential: true,
      }),
      answersText: 'plain',
      output: (value) => ({ result: value }),
    },
    {
      name: 'list_workflows',
      title: 'List workflows',
      description: 'Lists the workflows of the instance.',
      effect: 'reads',
      inputSchema: fields({ active: text('Active', { enum: ['true', 'false'] }), limit: whole('Limit', 1, 250) }),
      outputSchema: answer({ data: list('Workflows') }),
      request: (input) => ({
        method: 'GET',
        path: '/api/v1/workflows',
        query: { active: queryValue(input.active), limit: queryValue(input.limit) ?? 100 },
      }),
    },
    {
      name: 'list_executions',
      title: 'List executions',
      description: 'Lists executions, newest first, by workflow and status.',
      effect: 'reads',
      inputSchema: fields({
        workflowId: text('Workflow id'),
        status: text('Status', { enum: ['error', 'success', 'waiting'] }),
        limit: whole('Limit', 1, 250),
      }),
      outputSchema: answer({ data: list('Executions') }),
      request: (input) => ({
        method: 'GET',
        path: '/api/v1/executions',
        query: { workflowId: queryValue(input.workflowId), status: queryValue(input.status), limit: queryValue(input.limit) ?? 100 },
      }),
    },
  ],
};
