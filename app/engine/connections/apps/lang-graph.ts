import { type AppAdapter, answer, anyObject, fields, list, segment, text, whole } from '#app/engine/connections/apps/app-adapter.ts';

/** LangGraph Platform server API. The address is the deployment's. */
export const langGraph: AppAdapter = {
  headers: (credential): Record<string, string> => (credential === null ? {} : { 'x-api-key': credential }),
  check: { method: 'POST', path: '/assistants/search', body: { limit: 1 } },
  capabilities: [
    {
      name: 'search_assistants',
      title: 'Search assistants',
      description: 'Lists the assistants of the deployment.',
      effect: 'reads',
      inputSchema: fields({ graphId: text('Graph id'), limit: whole('Limit', 1, 100) }),
      outputSchema: answer({ assistants: list('Assistants') }),
      request: (input) => ({
        method: 'POST',
        path: '/assistants/search',
        body: { ...(input.graphId === undefined ? {} : { graph_id: input.graphId }), limit: input.limit ?? 20 },
      }),
      output: (value) => ({ assistants: value }),
    },
    {
      name: 'run_assistant',
      title: 'Run an assistant',
      description: 'Runs an assistant without a thread and waits for what it answers.',
      effect: 'writes',
      inputSchema: fields({ assistantId: text('Assistant id'), input: anyObject('Input') }, ['assistantId', 'input']),
      outputSchema: answer({ result: {} }),
      request: (input) => ({
        method: 'POST',
        path: '/runs/wait',
        body: { assistant_id: input.assistantId ?? '', input: input.input ?? {} },
      }),
      output: (value) => ({ result: value }),
    },
    {
      name: 'get_thread_state',
      title: 'Read the state of a thread',
      description: 'Reads the present values of a thread.',
      effect: 'reads',
      inputSchema: fields({ threadId: text('Thread id') }, ['threadId']),
      outputSchema: answer({ values: anyObject('Values'), next: { type: 'array', title: 'Next' } }),
      request: (input) => ({ method: 'GET', path: `/threads/${segment(input.threadId)}/state` }),
    },
  ],
};
