/** Does the work once at a time. Any number of calls during the work cause one more after it. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let isWorking = false;
  let isAskedAgain = false;
  return async () => {
    isAskedAgain = true;
    if (isWorking) return;
    isWorking = true;
    try {
      while (isAskedAgain) {
        isAskedAgain = false;
        await work();
      }
    } finally {
      isWorking = false;
    }
  };
}
