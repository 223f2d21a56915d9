import type { ListTasksResponse, Task } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';
import { LRUCache } from 'lru-cache';

/** The newest tasks of the built-in agent, in memory: its answers are whole when they are sent, so an older one is asked for again, not fetched. */
export class RecentTasks implements TaskStore {
  readonly #tasks = new LRUCache<string, Task>({ max: 1_000 });

  async save(task: Task): Promise<void> {
    this.#tasks.set(task.id, task);
  }

  async load(taskId: string): Promise<Task | undefined> {
    return this.#tasks.peek(taskId);
  }

  async list(params: { pageSize?: number | undefined }): Promise<ListTasksResponse> {
    const tasks = [...this.#tasks.values()].slice(0, Math.min(params.pageSize ?? 50, 100));
    return { tasks, nextPageToken: '', pageSize: tasks.length, totalSize: this.#tasks.size };
  }
}
