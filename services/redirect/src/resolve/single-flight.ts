/** Work under way, which further ones who want the same join. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  underWay(key: string): Promise<T> | undefined {
    return this.#flights.get(key);
  }

  start(key: string, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
