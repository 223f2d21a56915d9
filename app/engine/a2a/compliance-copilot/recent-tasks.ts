import type { ListTasksResponse, Task } from '@a2a-js/sdk';
import type { TaskStore } from '@a2a-js/sdk/server';

/** The newest tasks of the built-in agent, in memory: its answers are whole when they are sent, so an older one is asked for again, not fetched. */
export class RecentTasks implements TaskStore {
  readonly #tasks = new Map<string, Task>();
  readonly #limit: number;

  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  async save(task: Task): Promise<void> {
    this.#tasks.delete(task.id);
    this.#tasks.set(task.id, task);
    for (const oldest of this.#tasks.keys()) {
      if (this.#tasks.size <= this.#limit) break;
      this.#tasks.delete(oldest);
    }
  }

  async load(taskId: string): Promise<Task | undefined> {
    return this.#tasks.get(taskId);
  }

  async list(params: { pageSize?: number | undefined }): Promise<ListTasksResponse> {
    const tasks = [...this.#tasks.values()].reverse().slice(0, Math.min(params.pageSize ?? 50, 100));
    return { tasks, nextPageToken: '', pageSize: tasks.length, totalSize: this.#tasks.size };
  }
}
