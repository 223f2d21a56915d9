import type { KyselyPlugin, OperationNode, RootOperationNode } from 'kysely';
import { AliasNode, DeleteQueryNode, InsertQueryNode, TableNode, UpdateQueryNode } from 'kysely';
import type { Tables } from '#app/contracts/tables.ts';

/** Lets a command's queries write only the tables that it names, so that `changes` stays true. */
export function onlyChanges(tables: readonly (keyof Tables)[]): KyselyPlugin {
  return {
    transformQuery({ node }) {
      for (const table of writtenTables(node)) {
        if (!(tables as readonly string[]).includes(table)) throw new Error(`a command writes ${table} and does not say so in its changes`);
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

function writtenTables(node: RootOperationNode): string[] {
  if (InsertQueryNode.is(node)) return node.into === undefined ? [] : [nameOf(node.into)];
  if (UpdateQueryNode.is(node)) return node.table === undefined ? [] : [nameOf(node.table)];
  return DeleteQueryNode.is(node) ? node.from.froms.map(nameOf) : [];
}

function nameOf(node: OperationNode): string {
  const bare = AliasNode.is(node) ? node.node : node;
  if (!TableNode.is(bare)) throw new Error(`a command writes a ${bare.kind}`);
  const { schema, identifier } = bare.table;
  return schema === undefined ? identifier.name : `${schema.name}.${identifier.name}`;
}
