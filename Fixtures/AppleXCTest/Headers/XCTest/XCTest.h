// What Apple's XCTest declares, in Objective-C, as far as the sources here use it: written from Apple's documentation.
// See Fixtures/AppleXCTest/README.md.
#pragma once
@import ObjectiveC;

#pragma clang assume_nonnull begin

@class XCTestRun, XCTestSuite, XCTIssue, XCTExpectedFailure, XCTAttachment;

// MARK: - Tests

@interface XCTest : NSObject
@property (readonly) NSUInteger testCaseCount;
@property (readonly, copy) NSString *name;
@property (readonly, nullable) Class testRunClass;
@property (readonly, nullable) XCTestRun *testRun;
- (void)performTest:(XCTestRun *)run NS_SWIFT_NAME(perform(_:));
- (void)runTest NS_SWIFT_NAME(run());
- (void)setUp;
- (void)tearDown;
@end

@interface XCTestCase : XCTest
@property (strong, nullable) NSInvocation *invocation;
@property BOOL continueAfterFailure;
@property (class, readonly) XCTestSuite *defaultTestSuite;
// None of these is marked as designated, and none is required of a subclass in Swift.
+ (instancetype)testCaseWithInvocation:(nullable NSInvocation *)invocation;
- (instancetype)initWithInvocation:(nullable NSInvocation *)invocation;
+ (nullable instancetype)testCaseWithSelector:(SEL)selector;
- (instancetype)initWithSelector:(SEL)selector;
- (void)invokeTest;
- (void)recordIssue:(XCTIssue *)issue NS_SWIFT_NAME(record(_:));
+ (void)setUp;
+ (void)tearDown;
@end

@interface XCTestSuite : XCTest
+ (instancetype)testSuiteWithName:(NSString *)name;
- (instancetype)initWithName:(NSString *)name;
@property (readonly, copy) NSArray<__kindof XCTest *> *tests;
- (void)addTest:(XCTest *)test NS_SWIFT_NAME(addTest(_:));
@end

// MARK: - Runs

@interface XCTestRun : NSObject
@property (readonly, strong) XCTest *test;
@property (readonly) NSTimeInterval totalDuration;
@property (readonly) NSTimeInterval testDuration;
@property (readonly) NSUInteger testCaseCount;
@property (readonly) NSUInteger executionCount;
@property (readonly) NSUInteger skipCount;
@property (readonly) NSUInteger failureCount;
@property (readonly) NSUInteger unexpectedExceptionCount;
@property (readonly) NSUInteger totalFailureCount;
@property (readonly) BOOL hasSucceeded;
@property (readonly) BOOL hasBeenSkipped;
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)testRunWithTest:(XCTest *)test;
- (instancetype)initWithTest:(XCTest *)test NS_DESIGNATED_INITIALIZER;
- (void)start;
- (void)stop;
- (void)recordIssue:(XCTIssue *)issue NS_SWIFT_NAME(record(_:));
@end

@interface XCTestCaseRun : XCTestRun
@end

@interface XCTestSuiteRun : XCTestRun
@property (readonly, copy) NSArray<__kindof XCTestRun *> *testRuns;
- (void)addTestRun:(XCTestRun *)testRun NS_SWIFT_NAME(addTestRun(_:));
@end

// MARK: - Issues

typedef NS_ENUM(NSInteger, XCTIssueType) {
    XCTIssueTypeAssertionFailure = 0,
    XCTIssueTypeThrownError = 1,
    XCTIssueTypeUncaughtException = 2,
    XCTIssueTypePerformanceRegression = 3,
    XCTIssueTypeSystem = 4,
    XCTIssueTypeUnmatchedExpectedFailure = 5,
} NS_SWIFT_NAME(XCTIssueReference.IssueType);

@interface XCTSourceCodeLocation : NSObject
@property (readonly) NSInteger lineNumber;
- (instancetype)initWithFilePath:(NSString *)filePath lineNumber:(NSInteger)lineNumber;
@end

@interface XCTSourceCodeContext : NSObject
@property (readonly, nullable) XCTSourceCodeLocation *location;
- (instancetype)initWithLocation:(nullable XCTSourceCodeLocation *)location;
- (instancetype)init;
@end

// In Swift, a structure of the overlay's stands for it.
NS_SWIFT_NAME(XCTIssueReference)
__attribute__((swift_bridge("XCTIssue")))
@interface XCTIssue : NSObject
@property (readonly) XCTIssueType type;
@property (readonly, copy) NSString *compactDescription;
@property (readonly) BOOL isFailure;
@end

@interface XCTExpectedFailure : NSObject
@property (readonly, copy, nullable) NSString *failureReason;
@property (readonly, copy) XCTIssue *issue;
@end

// MARK: - Observation

@protocol XCTestObservation <NSObject>
@optional
- (void)testSuiteWillStart:(XCTestSuite *)testSuite;
- (void)testSuiteDidFinish:(XCTestSuite *)testSuite;
- (void)testCaseWillStart:(XCTestCase *)testCase;
- (void)testCase:(XCTestCase *)testCase didRecordIssue:(XCTIssue *)issue NS_SWIFT_NAME(testCase(_:didRecord:));
- (void)testCase:(XCTestCase *)testCase
    didRecordExpectedFailure:(XCTExpectedFailure *)expectedFailure NS_SWIFT_NAME(testCase(_:didRecord:));
- (void)testCaseDidFinish:(XCTestCase *)testCase;
@end

@interface XCTestObservationCenter : NSObject
@property (class, readonly) XCTestObservationCenter *sharedTestObservationCenter NS_SWIFT_NAME(shared);
- (void)addTestObserver:(id<XCTestObservation>)testObserver NS_SWIFT_NAME(addTestObserver(_:));
- (void)removeTestObserver:(id<XCTestObservation>)testObserver NS_SWIFT_NAME(removeTestObserver(_:));
@end

// MARK: - Activities

typedef NS_ENUM(NSInteger, XCTAttachmentLifetime) {
    XCTAttachmentLifetimeKeepAlways = 0,
    XCTAttachmentLifetimeDeleteOnSuccess = 1,
} NS_SWIFT_NAME(XCTAttachment.Lifetime);

@class XCUIScreenshot;

@interface XCTAttachment : NSObject
+ (instancetype)attachmentWithString:(NSString *)string;
+ (instancetype)attachmentWithScreenshot:(XCUIScreenshot *)screenshot;
@property (copy, nullable) NSString *name;
@property XCTAttachmentLifetime lifetime;
@end

NS_SWIFT_UI_ACTOR
@protocol XCTActivity
@property (readonly, copy) NSString *name;
- (void)addAttachment:(XCTAttachment *)attachment NS_SWIFT_NAME(add(_:));
@end

@interface XCTContext : NSObject
- (instancetype)init NS_UNAVAILABLE;
@end

// MARK: - Expectations

@interface XCTestExpectation : NSObject
- (instancetype)initWithDescription:(NSString *)expectationDescription NS_DESIGNATED_INITIALIZER;
- (void)fulfill;
@end

@interface XCTestCase (XCTestExpectations)
- (XCTestExpectation *)expectationWithDescription:(NSString *)description NS_SWIFT_NAME(expectation(description:));
- (void)waitForExpectations:(NSArray<XCTestExpectation *> *)expectations
                    timeout:(NSTimeInterval)seconds NS_SWIFT_NAME(wait(for:timeout:));
@end

// MARK: - Elements

@interface XCUIScreenshot : NSObject
- (instancetype)init NS_UNAVAILABLE;
@end

NS_SWIFT_UI_ACTOR
@interface XCUIScreen : NSObject
@property (class, readonly) XCUIScreen *mainScreen NS_SWIFT_NAME(main);
- (instancetype)init NS_UNAVAILABLE;
- (XCUIScreenshot *)screenshot;
@end

NS_SWIFT_UI_ACTOR
@interface XCUIElement : NSObject
@property (readonly, copy) NSString *debugDescription;
@end

NS_SWIFT_UI_ACTOR
@interface XCUIApplication : XCUIElement
- (instancetype)init;
@end

#pragma clang assume_nonnull end
