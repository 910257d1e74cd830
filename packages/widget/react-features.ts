import type { Unused } from "./dead-branches.ts";

/**
 * The functions of React that this widget never calls, by feature. The names are those of the version that package.json pins;
 * docs/decisions/0011 says what to do when it changes. Functions that React only calls in some browsers are not listed.
 */
export interface Feature {
  /** The functions through which the feature is used, separated by white space. They throw in every build. */
  readonly entries: string;
  /**
   * Functions that only the feature itself calls. They do nothing in the shipped build and throw in the build for the tests.
   */
  readonly inner: string;
}

/** The events that components listen to, except those that React combines from several of the browser's. */
export const EVENTS = "cancel click close dragLeave dragOver drop error keyDown load mouseDown paste submit toggle";

/** To use one of these features, remove it from the list. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  hydration: {
    entries: "exports.hydrateRoot ReactDOMHydrationRoot.prototype.unstable_scheduleHydration",
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
      resolveLazy useThenable attachPingListener`,
    inner: `accumulateSuspenseyCommitOnFiber attachSuspenseRetryListeners bailoutOffscreenComponent
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
  // No transition, deferred value, optimistic state or form action: every update renders at once.
  transitions: {
    entries: `mountActionState mountDeferredValueImpl requestFormReset startHostTransition startTransition
      updateOptimisticImpl useHostTransitionStatus`,
    inner: `actionStateActionEffect actionStateReducer defaultOnDefaultTransitionIndicator dispatchActionState
      dispatchOptimisticSetState ensureFormComponentIsStateful entangleAsyncAction handleActionReturnValue
      isRenderConsistentWithExternalStores notifyActionListeners onActionError onActionSuccess
      markRootEntangled markSpawnedDeferredLane pingEngtangledActionScope requestDeferredLane pushStoreConsistencyCheck ReactSharedInternals.S recursivelyResetForms refreshCache
      renderRootConcurrent rerenderActionState runActionStateAction
      TransitionAwareHostComponent updateActionState updateActionStateImpl updateDeferredValueImpl updateRefresh`,
  },
  // No useReducer.
  reducers: { entries: "dispatchReducerAction", inner: "" },
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
  // No forwardRef, portal, compiler, custom element, <select>, attribute with a namespace or `style`.
  "older features": {
    entries: `createFiberFromPortal setPropOnCustomElement setValueForNamespacedAttribute setValueForStyles
      updateForwardRef updateOptions useMemoCache`,
    inner: `setValueForStyle callComponentWillReceiveProps findCurrentFiberUsingSlowPath findCurrentHostFiberImpl
      ReactDOMSharedInternals.findDOMNode`,
  },
};

/** Functions that React calls although their feature is not used, with the value that they then return. */
export const RETURN_VALUES: Readonly<Record<string, string>> = {
  clearIfContinuousEvent: "undefined",
  commitFragmentInstanceDeletionEffects: "undefined",
  commitNewChildToFragmentInstances: "undefined",
  // No onSelect.
  constructSelectEvent: "undefined",
  // The names in a component's stack, which are meaningless after minification.
  describeFiber: '""',
  // No form with an action.
  extractEvents$1: "undefined",
  // No onBeforeInput and no onComposition….
  getData: "undefined",
  getDataFromCustomEvent: "null",
  getFallbackBeforeInputChars: "null",
  getNativeBeforeInputChars: "null",
  isFallbackCompositionEnd: "false",
  getComponentNameFromType: "null",
  getParentHydrationBoundary: "null",
  // The widget itself chooses the names of attributes.
  isAttributeNameSafe: "true",
  isHostHoistableType: "false",
  maySuspendCommit: "false",
  popHydrationState: "false",
  preloadInstanceAndSuspendIfNeeded: "undefined",
  upgradeHydrationErrorsToRecoverable: "null",
};

/** The same for React's other packages. */
export const IN_REACT: Readonly<Record<string, Feature>> = {
  // No startTransition, lazy, cache, cloneElement, forwardRef or Children.
  react: {
    entries: `exports.cache exports.cacheSignal exports.cloneElement exports.forwardRef exports.lazy mapChildren
      startTransition`,
    inner: "addTransitionType lazyInitializer mapIntoArray resolveThenable",
  },
};
export const IN_REACT_DOM: Readonly<Record<string, Feature>> = {
  portals: { entries: "exports.createPortal", inner: "createPortal$1" },
  preloading: {
    entries:
      "exports.preconnect exports.prefetchDNS exports.preinit exports.preinitModule exports.preload exports.preloadModule",
    inner: "",
  },
};

export const IN_SCHEDULER: Readonly<Record<string, Feature>> = {
  // Only React calls the scheduler, and never with a delay or with immediate priority.
  scheduling: {
    entries: "",
    inner: `exports.unstable_forceFrameRate exports.unstable_next exports.unstable_runWithPriority
      exports.unstable_wrapCallback handleTimeout requestHostTimeout`,
  },
};

/** There are never delayed tasks, so none has to be searched for. */
export const SCHEDULER_RETURN_VALUES: Readonly<Record<string, string>> = { advanceTimers: "undefined" };

/**
 * What never occurs inside React's functions that the widget uses. The build for the tests throws if one of these occurs after
 * all.
 */
export const NEVER: Unused = {
  cases: {
    // Portals, context consumers, forwardRef, profilers, suspense, lazy components, dehydrated content, lists of suspense,
    // scopes, hidden content, caches, document resources, <html>, <head> and <body>, view transitions, activities.
    ".tag": "4 9 11 12 13 16 18 19 21 22 23 24 26 27 30 31",
    setInitialProperties: `select option iframe object video image details embed source link area base col keygen meta param
      track wbr menuitem`,
    updateProperties: "select option link area base col embed keygen meta param source track wbr menuitem",
    setProp: `data action formAction dangerouslySetInnerHTML muted suppressContentEditableWarning suppressHydrationWarning
      innerHTML autoFocus xlinkHref contentEditable autoReverse externalResourcesRequired preserveAlpha allowFullScreen async
      autoPlay credentialless default defer disablePictureInPicture disableRemotePlayback formNoValidate loop noModule
      noValidate playsInline reversed scoped seamless itemScope capture cols size span rowSpan xlinkActuate xlinkArcrole
      xlinkRole xlinkShow xlinkTitle xlinkType xmlBase xmlLang xmlSpace is innerText textContent onScroll onScrollEnd`,
    dispatchEventForPluginEventSystem: `beforeblur afterblur auxclick dblclick mousemove mouseup contextmenu drag dragend
      dragenter dragexit dragstart touchcancel touchend touchmove touchstart scroll scrollend wheel copy cut keypress
      gotpointercapture lostpointercapture pointercancel pointerdown pointermove pointerup beforetoggle compositionstart
      compositionend compositionupdate ANIMATION_END ANIMATION_ITERATION ANIMATION_START TRANSITION_END`,
  },
  constants: {
    canUseDOM: "true",
    documentMode: "null",
    isHydrating: "false",
    nextHydratableInstance: "null",
    hydrationParentFiber: "null",
    rootOrSingletonContext: "false",
    treeForkCount: "0",
    currentEntangledActionThenable: "null",
    shellBoundary: "null",
    didReadFromEntangledAsyncAction: "false",
    shouldDoubleInvokeUserFnsInHooksDEV: "false",
    shouldStartViewTransition: "false",
    offscreenSubtreeIsHidden: "false",
    offscreenSubtreeWasHidden: "false",
    offscreenDirectParentIsHidden: "false",
    needsFormReset: "false",
    inUpdateViewTransition: "false",
    workInProgressTransitions: "null",
    workInProgressRootIsPrerendering: "false",
    workInProgressRootDidAttachPingListener: "false",
    workInProgressSuspendedRetryLanes: "0",
    globalMostRecentFallbackTime: "0",
    pendingPassiveTransitions: "null",
    pendingViewTransition: "null",
    pendingViewTransitionEvents: "null",
    pendingTransitionTypes: "null",
  },
  values: {
    // Events that no component listens to.
    simpleEventPluginEvents: `${JSON.stringify(EVENTS)}.split(" ")`,
    mediaEventTypes: '["error"]',
    ANIMATION_END: "null",
    ANIMATION_ITERATION: "null",
    ANIMATION_START: "null",
    TRANSITION_RUN: "null",
    TRANSITION_START: "null",
    TRANSITION_CANCEL: "null",
    TRANSITION_END: "null",
    SyntheticAnimationEvent: "null",
    SyntheticTouchEvent: "null",
    SyntheticTransitionEvent: "null",
    SyntheticUIEvent: "null",
    SyntheticWheelEvent: "null",
    // Older browsers' names of keys.
    normalizeKey: "{}",
    translateToKey: "{}",
    // Attributes whose names in React differ from HTML.
    aliases: "new Map()",
    unitlessNumbers: "null",
  },
  properties: `useTransition useFormState useActionState useOptimistic useHostTransitionStatus useDeferredValue useReducer
    useDebugValue useCacheRefresh`,
  calls: `ANIMATION_END ANIMATION_ITERATION ANIMATION_START TRANSITION_RUN TRANSITION_START TRANSITION_CANCEL TRANSITION_END
    dblclick scrollEnd onSelect onBeforeInput onCompositionEnd onCompositionStart onCompositionUpdate`,
};
