import { WORKFLOW_TEMPLATES, type WorkflowTemplateId } from '#app/domain/workflow-templates.ts';
import type { DemoSeed } from '#app/engine/demo/seed-demo-workspace.ts';
import { createWorkflow } from '#app/engine/workflows/create-workflow.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';

const NAMES: Record<WorkflowTemplateId, { name: string; description: string }> = {
  paymentScreening: {
    name: 'Payment screening',
    description: 'Screens the payee, names the obligations that apply, and asks a person before a hit is released.',
  },
  dischargeLetter: {
    name: 'Discharge letter',
    description: 'Finds and masks what identifies the patient before a letter leaves, and checks the result.',
  },
  recordsRequest: {
    name: 'Records request',
    description: 'Counts the days, withholds personal data, and lets an officer decide on the release.',
  },
};

/** The three templates as published workflows of the builder. Looks first what already stands. */
export async function seedDemoWorkflows({ workspaceId, people, read, change, newId, now }: DemoSeed): Promise<void> {
  const ownerId = people.builder.userId;
  for (const template of WORKFLOW_TEMPLATES) {
    const { name, description } = NAMES[template.id];
    const standing = await read('builder', (db) =>
      db
        .selectFrom('quorate.artifacts')
        .where('kind', '=', 'workflow')
        .where('name', '=', name)
        .select(['id', 'published_version_id'])
        .executeTakeFirst(),
    );
    const id = standing?.id ?? newId();
    if (standing === undefined) {
      await change('builder', async (db) => {
        await createWorkflow(db, { id, workspaceId, ownerId, name, description, document: template.document });
        return {
          result: null,
          event: { action: 'workflow.created', resource: { kind: 'workflow', id, name }, payload: { template: template.id } },
        };
      });
    }
    if (standing?.published_version_id != null) continue;
    await change('builder', async (db) => {
      const version = await freezeVersion(db, {
        id: newId(),
        workspaceId,
        artifactId: id,
        authorId: ownerId,
        document: template.document,
        publish: true,
        now: now(),
      });
      return {
        result: null,
        event: {
          action: 'workflow.published',
          resource: { kind: 'workflow', id, name },
          payload: { version: version.number, contentHash: version.contentHash },
        },
      };
    });
  }
}
