import {
  type AppAdapter,
  answer,
  anyObject,
  basicOrBearer,
  fields,
  list,
  queryValue,
  segment,
  text,
  whole,
} from '#app/engine/connections/apps/app-adapter.ts';

const table = text('Table', { pattern: '^[a-z][a-z0-9_]{0,79}$' });
const record = answer({ result: anyObject('Record') });

/** ServiceNow Table API, version 2. The address is the instance's. */
export const servicenow: AppAdapter = {
  headers: basicOrBearer,
  check: { method: 'GET', path: '/api/now/v2/table/incident', query: { sysparm_limit: 1, sysparm_fields: 'sys_id' } },
  capabilities: [
    {
      name: 'list_records',
      title: 'List records',
      description: 'Reads records of a table that match an encoded query.',
      effect: 'reads',
      inputSchema: fields(
        { table, query: text('Encoded query'), fields: text('Fields, separated by commas'), limit: whole('Limit', 1, 200) },
        ['table'],
      ),
      outputSchema: answer({ result: list('Records') }),
      request: (input) => ({
        method: 'GET',
        path: `/api/now/v2/table/${segment(input.table)}`,
        query: {
          sysparm_query: queryValue(input.query),
          sysparm_fields: queryValue(input.fields),
          sysparm_limit: queryValue(input.limit) ?? 50,
        },
      }),
    },
    {
      name: 'get_record',
      title: 'Read a record',
      description: 'Reads one record of a table by its sys_id.',
      effect: 'reads',
      inputSchema: fields({ table, sysId: text('sys_id') }, ['table', 'sysId']),
      outputSchema: record,
      request: (input) => ({ method: 'GET', path: `/api/now/v2/table/${segment(input.table)}/${segment(input.sysId)}` }),
    },
    {
      name: 'create_record',
      title: 'Create a record',
      description: 'Creates a record in a table, for example an incident.',
      effect: 'writes',
      inputSchema: fields({ table, values: anyObject('Values') }, ['table', 'values']),
      outputSchema: record,
      request: (input) => ({ method: 'POST', path: `/api/now/v2/table/${segment(input.table)}`, body: input.values ?? {} }),
    },
    {
      name: 'update_record',
      title: 'Update a record',
      description: 'Changes fields of one record of a table.',
      effect: 'writes',
      inputSchema: fields({ table, sysId: text('sys_id'), values: anyObject('Values') }, ['table', 'sysId', 'values']),
      outputSchema: record,
      request: (input) => ({
        method: 'PATCH',
        path: `/api/now/v2/table/${segment(input.table)}/${segment(input.sysId)}`,
        body: input.values ?? {},
      }),
    },
  ],
};
