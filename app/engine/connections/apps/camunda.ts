import {
  type AppAdapter,
  answer,
  anyObject,
  basicOrBearer,
  fields,
  list,
  segment,
  text,
  whole,
} from '#app/engine/connections/apps/app-adapter.ts';

/** Camunda 8 Orchestration Cluster REST API, version 2. The address ends before `/v2`. */
export const camunda: AppAdapter = {
  headers: basicOrBearer,
  check: { method: 'GET', path: '/v2/topology' },
  capabilities: [
    {
      name: 'create_process_instance',
      title: 'Start a process',
      description: 'Starts an instance of a deployed process by its BPMN id, with variables.',
      effect: 'writes',
      inputSchema: fields({ processDefinitionId: text('BPMN process id'), variables: anyObject('Variables') }, ['processDefinitionId']),
      outputSchema: answer({ processInstanceKey: text('Process instance key'), processDefinitionId: text('BPMN process id') }),
      request: (input) => ({
        method: 'POST',
        path: '/v2/process-instances',
        body: { processDefinitionId: input.processDefinitionId ?? '', variables: input.variables ?? {} },
      }),
    },
    {
      name: 'get_process_instance',
      title: 'Read a process instance',
      description: 'Reads one process instance: its state and when it started and ended.',
      effect: 'reads',
      inputSchema: fields({ processInstanceKey: text('Process instance key') }, ['processInstanceKey']),
      outputSchema: answer({ processInstanceKey: text('Process instance key'), state: text('State') }),
      request: (input) => ({ method: 'GET', path: `/v2/process-instances/${segment(input.processInstanceKey)}` }),
    },
    {
      name: 'search_user_tasks',
      title: 'Search user tasks',
      description: 'Finds user tasks by state and assignee.',
      effect: 'reads',
      inputSchema: fields({
        state: text('State', { enum: ['CREATED', 'COMPLETED', 'CANCELED', 'FAILED'] }),
        assignee: text('Assignee'),
        limit: whole('Limit', 1, 100),
      }),
      outputSchema: answer({ items: list('User tasks') }),
      request: (input) => ({
        method: 'POST',
        path: '/v2/user-tasks/search',
        body: {
          filter: {
            ...(input.state === undefined ? {} : { state: input.state }),
            ...(input.assignee === undefined ? {} : { assignee: input.assignee }),
          },
          page: { limit: input.limit ?? 50 },
        },
      }),
    },
    {
      name: 'publish_message',
      title: 'Publish a message',
      description: 'Publishes a message to running processes by name and correlation key.',
      effect: 'writes',
      inputSchema: fields({ name: text('Message name'), correlationKey: text('Correlation key'), variables: anyObject('Variables') }, [
        'name',
        'correlationKey',
      ]),
      outputSchema: answer({ messageKey: text('Message key') }),
      request: (input) => ({
        method: 'POST',
        path: '/v2/messages/publication',
        body: {
          name: input.name ?? '',
          correlationKey: input.correlationKey ?? '',
          timeToLive: 3_600_000,
          variables: input.variables ?? {},
        },
      }),
    },
  ],
};
