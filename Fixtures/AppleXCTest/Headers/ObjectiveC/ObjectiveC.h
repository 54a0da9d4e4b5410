// Of what a Mac declares in its modules ObjectiveC and Foundation, what XCTest's headers and the sources here use.
// See Fixtures/AppleXCTest/README.md.
#pragma once

typedef _Bool BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;

#define NS_SWIFT_NAME(name) __attribute__((swift_name(#name)))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@MainActor")))
#define NS_SWIFT_UNAVAILABLE(why) __attribute__((availability(swift, unavailable, message = why)))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define NS_UNAVAILABLE __attribute__((unavailable))
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))

#pragma clang assume_nonnull begin

// NSObject is Foundation's own class here, which is no class of Objective-C's. So this one has another name in Swift.
NS_SWIFT_NAME(ObjectiveCObject)
__attribute__((objc_root_class))
@interface NSObject
- (instancetype)init;
@end

NS_SWIFT_NAME(ObjectiveCObjectProtocol)
@protocol NSObject
@end

__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject
@end

__attribute__((swift_bridge("Swift.Array")))
@interface NSArray<ObjectType> : NSObject
@end

// Foundation says that NSInvocation is not for Swift; XCTestCase's property of that type is imported all the same.
NS_SWIFT_UNAVAILABLE("NSInvocation and related APIs not available")
@interface NSInvocation : NSObject
@property SEL selector;
@end

NSString *NSStringFromSelector(SEL selector);
SEL NSSelectorFromString(NSString *name);

// objc/runtime.h
typedef struct objc_method *Method;
typedef void (*IMP)(void);
Method _Nullable class_getInstanceMethod(Class _Nullable aClass, SEL name);
IMP method_getImplementation(Method method);
const char *_Nullable method_getTypeEncoding(Method method);
BOOL class_addMethod(Class _Nullable aClass, SEL name, IMP implementation, const char *_Nullable types);

#pragma clang assume_nonnull end
