import type { Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import type { RequestOptions, Transport } from '@a2a-js/sdk/client';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';

type Hears = {
  /** Takes the words of artifacts piece by piece. */
  onText: ((piece: string) => void) | undefined;
  /** Once the task is known. */
  onTask(task: Pick<Task, 'id'>): void;
};

/**
 * Sends a message and reads the stream of what the agent does. What the stream tells is for those who look on: the answer is the task as
 * the agent holds it afterwards, whole, also where the stream has broken off. A message is the answer itself.
 */
export async function streamMessage(
  transport: Transport,
  request: SendMessageRequest,
  options: RequestOptions,
  { onText, onTask }: Hears,
): Promise<Message | Task> {
  let id: string | null = null;
  let last = '';
  try {
    for await (const event of transport.sendMessageStream(request, options)) {
      if (event.payload?.$case === 'message') return event.payload.value;
      const named = taskOf(event);
      if (named !== null && id === null) {
        id = named;
        onTask({ id });
      }
      const artifact = event.payload?.$case === 'artifactUpdate' ? event.payload.value.artifact : undefined;
      if (artifact === undefined) continue;
      const text = artifact.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : '')).join('');
      if (text !== '') onText?.(last === '' || last === artifact.artifactId ? text : `\n${text}`);
      last = artifact.artifactId;
    }
  } catch (error) {
    // Nothing has begun: it says that it streams, and does not.
    if (id === null && error instanceof UnsupportedOperationError) return transport.sendMessage(request, options);
    if (id === null || options.signal?.aborted === true) throw error;
  }
  if (id === null) throw new Error('the stream named no task');
  return transport.getTask({ tenant: request.tenant, id, historyLength: 0 }, options);
}

function taskOf({ payload }: StreamResponse): string | null {
  if (payload?.$case === 'task') return payload.value.id;
  return payload?.$case === 'statusUpdate' || payload?.$case === 'artifactUpdate' ? payload.value.taskId : null;
}
