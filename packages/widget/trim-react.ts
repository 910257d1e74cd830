/**
 * React carries features that no bundler can leave out and that this widget never uses: a third of what a visitor's
 * browser would load. Here the functions of those features lose their bodies while the widget is built, and the minifier
 * takes away what only they called. Where a feature begins, an error says that it is not there.
 *
 * The names are those of the version that package.json pins. With another, the build stops at the first name that is gone:
 * then this list is to be looked through. That the widget lives without is proven by the browser tests, which run on
 * what is built here.
 */
import type { Plugin } from "vite";

interface Feature {
  /** Where the feature begins: whoever comes here uses it. */
  readonly entries: string;
  /** What is reached from there alone. */
  readonly inner: string;
}

/** A function, and what is to stand in it. */
type Body = readonly [name: string, body: string];

/** Whoever needs one of these takes it off the list. */
const FEATURES: Readonly<Record<string, Feature>> = {
  hydration: {
    entries: "exports.hydrateRoot",
    inner: `accumulateOrCreateContinuousQueuedReplayableEvent attemptContinuousHydration attemptExplicitHydrationTarget
      attemptHydrationAtCurrentPriority attemptReplayContinuousQueuedEvent attemptReplayContinuousQueuedEventInMap
      canHydrateHydrationBoundary canHydrateInstance canHydrateTextInstance checkForUnmatchedText clearHydrationBoundary
      commitActivityHydrationCallbacks commitSuspenseHydrationCallbacks createFiberFromDehydratedFragment
      getBumpedLaneForHydration getBumpedLaneForHydrationByLane getNextHydratable
      getNextHydratableInstanceAfterHydrationBoundary hideOrUnhideDehydratedBoundary mountHostRootWithoutHydrating
      popToNextHostParent prepareToHydrateHostInstance pushMaterializedTreeId pushTreeFork pushTreeId pushDehydratedActivitySuspenseHandler queueHydrationError
      queueIfContinuousEvent ReactDOMHydrationRoot registerSuspenseInstanceRetry replayUnblockedEvents
      restoreSuspendedTreeContext retryActivityComponentWithoutHydrating retryDehydratedSuspenseBoundary
      retryIfBlockedOn retrySuspenseComponentWithoutHydrating scheduleCallbackIfUnblocked scheduleReplayQueueIfNeeded
      throwOnHydrationMismatch updateDehydratedSuspenseComponent`,
  },
  // No <ViewTransition>.
  "view transitions": {
    entries: "createViewTransitionInstance getViewTransitionName",
    inner: `applyViewTransitionName applyViewTransitionToHostInstances applyViewTransitionToHostInstancesRecursive
      commitAfterMutationEffectsOnFiber commitAppearingPairViewTransitions commitDeletedPairViewTransitions
      commitEnterViewTransitions commitExitViewTransitions commitNestedViewTransitions createMeasurement
      getClassNameByType getViewTransitionClassName measureClonedInstance measureInstance measureNestedViewTransitions
      measureViewTransitionHostInstancesRecursive recursivelyTraverseAfterMutationEffects reportViewTransitionError
      restoreEnterOrExitViewTransitions restoreNestedViewTransitions restorePairedViewTransitions
      restoreViewTransitionName restoreViewTransitionOnHostInstances scheduleViewTransitionEvent startViewTransition
      trackEnterViewTransitions ViewTransitionPseudoElement ViewTransitionPseudoElement.prototype.animate
      ViewTransitionPseudoElement.prototype.getAnimations ViewTransitionPseudoElement.prototype.getComputedStyle`,
  },
  // No <html>, <head> or <body>, and no stylesheets or scripts that belong in them.
  documents: {
    entries: "resolveSingletonInstance getResource",
    inner: `acquireResource adoptPreloadPropsForScript adoptPreloadPropsForStylesheet clearSingletonPreambleContribution
      commitHostSingletonAcquisition createHoistableInstance getHydratableHoistableCache insertStylesheet
      clearContainerSparingly insertStylesheetIntoRoot insertSuspendedStylesheets mountHoistable preconnect preconnectAs prefetchDNS
      preinitModuleScript preinitScript preinitStyle preload preloadModule preloadResource
      preloadResourceAndSuspendIfNeeded preloadStylesheet releaseSingletonInstance`,
  },
  // No <Suspense>, <Activity> or lazy component, and no promise is used while rendering.
  suspense: {
    entries: `updateActivityComponent updateOffscreenComponent updateSuspenseComponent updateSuspenseListComponent
      resolveLazy useThenable`,
    inner: `accumulateSuspenseyCommitOnFiber attachPingListener attachSuspenseRetryListeners bailoutOffscreenComponent
      chainThenableValue checkIfFullyUnsuspended commitOffscreenPassiveMountEffects cutOffTailIfNeeded
      deferHiddenOffscreenComponent estimateBandwidth findFirstSuspended findLastContentRow
      getRemainingWorkInPrimaryTree getRetryCache getSuspendedThenable hideOrUnhideAllChildren
      hideOrUnhideAllChildrenOnFiber hideOrUnhideNearestPortals initSuspenseListRenderState mountActivityChildren
      mountSuspenseOffscreenState mountSuspensePrimaryChildren mountWorkInProgressOffscreenFiber onUnsuspend
      onUnsuspendImg pingSuspendedRoot pushHiddenContext pushOffscreenSuspenseHandler pushPrimaryTreeSuspenseHandler
      recursivelyAccumulateSuspenseyCommit recursivelyTraverseAtomicPassiveEffects
      recursivelyTraverseDisappearLayoutEffects recursivelyTraverseDisconnectPassiveEffects
      recursivelyTraverseReappearLayoutEffects recursivelyTraverseReconnectPassiveEffects
      renderDidSuspendDelayIfPossible replayFunctionComponent replaySuspendedUnitOfWork resolveRetryWakeable
      retryTimedOutBoundary reuseHiddenContextOnStack reuseSuspenseHandlerOnStack scheduleRetryEffect
      scheduleSuspenseWorkOnFiber shouldRemainOnPreviousScreen suspendInstance suspendResource trackUsedThenable
      unwrapThenable waitForCommitToBeReady`,
  },
  // No transition, deferred value, optimistic state or form action: every update is rendered at once.
  transitions: {
    entries: "mountActionState mountDeferredValueImpl startTransition updateOptimisticImpl useHostTransitionStatus",
    inner: `actionStateActionEffect actionStateReducer defaultOnDefaultTransitionIndicator dispatchActionState
      dispatchOptimisticSetState ensureFormComponentIsStateful entangleAsyncAction handleActionReturnValue
      isRenderConsistentWithExternalStores notifyActionListeners onActionError onActionSuccess
      markRootEntangled markSpawnedDeferredLane pingEngtangledActionScope requestDeferredLane pushStoreConsistencyCheck ReactSharedInternals.S recursivelyResetForms refreshCache
      renderRootConcurrent requestFormReset rerenderActionState runActionStateAction startHostTransition
      TransitionAwareHostComponent updateActionState updateActionStateImpl updateDeferredValueImpl updateRefresh`,
  },
  "fragment refs": {
    entries: "FragmentInstance",
    inner: `addFragmentHandleToFiber addFragmentHandleToInstance blurActiveElementWithinFragment collectChildren
      collectClientRects commitFragmentInstanceInsertionEffects
      commitNewChildToFragmentInstance deleteChildFromFragmentInstance
      FragmentInstance.prototype.addEventListener FragmentInstance.prototype.blur
      FragmentInstance.prototype.compareDocumentPosition FragmentInstance.prototype.dispatchEvent
      FragmentInstance.prototype.focus FragmentInstance.prototype.focusLast FragmentInstance.prototype.getClientRects
      FragmentInstance.prototype.getRootNode FragmentInstance.prototype.observeUsing
      FragmentInstance.prototype.removeEventListener FragmentInstance.prototype.scrollIntoView
      FragmentInstance.prototype.unobserveUsing observeChild scrollTextNodeIntoView setFocusOnFiberIfFocusable
      unobserveChild validateDocumentPositionWithFiberTree`,
  },
  // No forwardRef, portal, compiler, custom element or <select>.
  "older features": {
    entries: "createFiberFromPortal setPropOnCustomElement updateForwardRef updateOptions useMemoCache",
    inner: `callComponentWillReceiveProps findCurrentFiberUsingSlowPath findCurrentHostFiberImpl
      ReactDOMSharedInternals.findDOMNode`,
  },
};

/** Functions that are reached all the same, and what they answer where their feature is not used. */
const ANSWERS: Readonly<Record<string, string>> = {
  clearIfContinuousEvent: "undefined",
  commitFragmentInstanceDeletionEffects: "undefined",
  commitNewChildToFragmentInstances: "undefined",
  // The names in a component's stack: after minification they say nothing.
  describeFiber: '""',
  getComponentNameFromType: "null",
  getParentHydrationBoundary: "null",
  isHostHoistableType: "false",
  maySuspendCommit: "false",
  popHydrationState: "false",
  preloadInstanceAndSuspendIfNeeded: "undefined",
  upgradeHydrationErrorsToRecoverable: "null",
};

/** The same of the packages' small files. */
const IN_REACT: Readonly<Record<string, Feature>> = {
  // No startTransition, lazy, cache, cloneElement, forwardRef or Children.
  react: {
    entries: `exports.cache exports.cacheSignal exports.cloneElement exports.forwardRef exports.lazy mapChildren
      startTransition`,
    inner: "addTransitionType lazyInitializer mapIntoArray resolveThenable",
  },
};
const IN_REACT_DOM: Readonly<Record<string, Feature>> = {
  preloading: {
    entries:
      "exports.preconnect exports.prefetchDNS exports.preinit exports.preinitModule exports.preload exports.preloadModule",
    inner: "",
  },
};

const IN_SCHEDULER: Readonly<Record<string, Feature>> = {
  // React alone calls the scheduler, and never for later or with a priority to run at once.
  scheduling: {
    entries: "",
    inner: `advanceTimers exports.unstable_forceFrameRate exports.unstable_next exports.unstable_runWithPriority
      exports.unstable_wrapCallback handleTimeout requestHostTimeout`,
  },
};

/** Takes what the widget does not use out of React's packages. */
export function trimReact(): Plugin {
  return {
    name: "trim-react",
    transform: {
      filter: { id: /\/(react|react-dom|react-dom-client|scheduler)\.production\.js$/ },
      handler(code, id) {
        // Every line is where it was, so that the source map holds.
        return { code: replaceBodies(code, new Map(bodiesOf(id))), map: null };
      },
    },
  };
}

/** The new bodies of a file's functions. */
function bodiesOf(id: string): readonly Body[] {
  if (id.endsWith("/react.production.js")) return withoutFeatures(IN_REACT);
  if (id.endsWith("/react-dom.production.js")) return withoutFeatures(IN_REACT_DOM);
  if (id.endsWith("/scheduler.production.js")) return withoutFeatures(IN_SCHEDULER);
  const answers = Object.entries(ANSWERS).map(([name, answer]): Body => [name, `return ${answer};`]);
  return [...withoutFeatures(FEATURES), ...answers];
}

function withoutFeatures(features: Readonly<Record<string, Feature>>): readonly Body[] {
  return Object.entries(features).flatMap(([name, { entries, inner }]) => {
    // Short, for it is not said once: React is large, and compression forgets.
    const absent = `throw Error("trim-react.ts: ${name}");`;
    const begin = namesIn(entries).map((entry): Body => [entry, absent]);
    return begin.concat(namesIn(inner).map((each): Body => [each, ""]));
  });
}

function namesIn(list: string): readonly string[] {
  return list.split(/\s+/).filter((name) => name !== "");
}

/** The code with other bodies in the functions of these names, each of as many lines as before. */
function replaceBodies(code: string, bodies: ReadonlyMap<string, string>): string {
  const pieces: string[] = [];
  const missing = new Set(bodies.keys());
  let done = 0;
  for (const { index, groups } of code.matchAll(/^(?:function (?<own>\w+)|(?<member>[\w.]+) = function )\(/gm)) {
    const name = groups?.["own"] ?? groups?.["member"] ?? "";
    const body = bodies.get(name);
    const open = code.indexOf(") {\n", index);
    const end = code.indexOf("\n}", open);
    if (body === undefined || index < done || open < 0 || end < 0) continue;
    const lines = code.slice(open, end).split("\n").length - 1;
    pieces.push(code.slice(done, open), `) {${body}${"\n".repeat(lines)}`);
    done = end;
    missing.delete(name);
  }
  if (missing.size > 0) {
    const names = [...missing].join(", ");
    throw new Error(`React has no function ${names} any more: look through trim-react.ts for this version.`);
  }
  return pieces.join("") + code.slice(done);
}
